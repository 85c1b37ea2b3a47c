// DOP853 (Hairer) in C++, explicit step control, no dense output; N and the right-hand side are template parameters.
#pragma once
#include <math.h>
#include <string.h>
#include "coefficients.h"
template<int N,class F> struct Dop853{
  F f; double rtol,atol; long nrhs=0,nst=0,nrej=0; double k[12][N],kn[N];
  // one trial step from (y, k[0]=f(y)); y1 and the error norm
  inline double trial(const double*y,double h,double*y1){
    double yt[N];
    for(int s=1;s<12;s++){
      for(int i=0;i<N;i++){double a=0;for(int j=0;j<s;j++)if(D8_A[s][j]!=0)a+=D8_A[s][j]*k[j][i];yt[i]=y[i]+h*a;}
      f(yt,k[s]);
    }
    nrhs+=11; double e5=0,e3=0;
    for(int i=0;i<N;i++){
      double b=0,x5=0,x3=0;
      for(int j=0;j<12;j++){b+=D8_B[j]*k[j][i];x5+=D8_E5[j]*k[j][i];x3+=D8_E3[j]*k[j][i];}
      y1[i]=y[i]+h*b; double sc=1/(atol+rtol*fmax(fabs(y[i]),fabs(y1[i])));
      x5*=sc;x3*=sc;e5+=x5*x5;e3+=x3*x3;
    }
    if(e5==0&&e3==0)return 0;
    return fabs(h)*e5/sqrt((e5+0.01*e3)*N);
  }
  double h0(const double*y){double d0=0,d1=0;f(y,k[0]);nrhs++;for(int i=0;i<N;i++){double sc=atol+rtol*fabs(y[i]);d0+=y[i]*y[i]/sc/sc;d1+=k[0][i]*k[0][i]/sc/sc;}
    double h=(d0<1e-10||d1<1e-10)?1e-6:0.01*sqrt(d0/d1);return h;}
  long run(double*y,double T){
    double t=0,h=h0(y),y1[N];
    while(t<T){
      if(t+h>T)h=T-t;
      double e=trial(y,h,y1); double fac=e==0?6.0:fmin(6.0,fmax(0.333,0.9*pow(e,-1.0/8)));
      if(e<=1){t=(h==T-t)?T:t+h;memcpy(y,y1,sizeof y1);f(y,k[0]);nrhs++;nst++;h*=fac;}
      else{h*=fac;if(++nrej>1000000||h<1e-15)return -1;}
    }
    return nst;
  }
};
